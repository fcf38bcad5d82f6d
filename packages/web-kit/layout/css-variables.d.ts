/** Custom properties in `style`: `style={{'--side': '372px'}}`. */
import 'react';

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
