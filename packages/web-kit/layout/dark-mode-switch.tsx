/** The switch between light and dark, with its state in words. */
import { Moon, Sun } from 'lucide-react';
import { useDarkMode } from '#web/theme/theme-provider.tsx';
import { Glyph } from './icons.tsx';
import bar from './bar-tool.module.css';

export function DarkModeSwitch() {
  const { dark, toggle } = useDarkMode();
  const label = dark ? 'Switch to light mode' : 'Switch to dark mode';
  return (
    <button type="button" className={bar.tool} aria-label={label} title={label} onClick={toggle}>
      <Glyph icon={dark ? Sun : Moon} size={17} />
    </button>
  );
}
