/** The bare bulb left burning on an empty stage: drawn, not loaded. The only large decoration of the product. */
/** Outline of the left curtain, drawn back to the side. */
const CLOTH = 'M0 0h262c2 210 4 360-40 520S130 740 98 790H0z';

function Curtain({ mirror }: { mirror?: boolean }) {
  return (
    <g transform={mirror ? 'translate(828 0) scale(-1 1)' : undefined}>
      <path d={CLOTH} fill="url(#gl-cloth)" />
      <path d={CLOTH} fill="url(#gl-folds)" />
      <path d={CLOTH} fill="url(#gl-fine)" opacity=".5" />
      <path d={CLOTH} fill="url(#gl-dusk)" />
      <path d="M262 0c2 210 4 360-40 520S130 740 98 790" stroke="url(#gl-edge)" strokeWidth="1.6" fill="none" />
    </g>
  );
}

/** A gradient that repeats across the cloth: one fold is `width` px. */
function Folds({ id, width, depth }: { id: string; width: number; depth: number }) {
  return (
    <linearGradient id={id} gradientUnits="userSpaceOnUse" x1="0" x2={width} y1="0" y2="4" spreadMethod="repeat">
      <stop stopColor="#10030a" stopOpacity={depth} />
      <stop offset=".3" stopColor="#2a0814" stopOpacity={depth * 0.45} />
      <stop offset=".55" stopColor="#9a2449" stopOpacity={depth * 0.34} />
      <stop offset=".78" stopColor="#2a0814" stopOpacity={depth * 0.5} />
      <stop offset="1" stopColor="#10030a" stopOpacity={depth} />
    </linearGradient>
  );
}

export function GhostLight() {
  return (
    <svg viewBox="0 0 828 900" preserveAspectRatio="xMidYMid slice" width="100%" height="100%" focusable="false">
      <defs>
        <linearGradient id="gl-room" x2="0" y2="1">
          <stop stopColor="#0e0609" /><stop offset=".5" stopColor="#2a1119" /><stop offset="1" stopColor="#1b0b11" />
        </linearGradient>
        <linearGradient id="gl-cloth" x2="1" y2=".2">
          <stop stopColor="#1c070f" /><stop offset=".55" stopColor="#4a1026" /><stop offset="1" stopColor="#64152f" />
        </linearGradient>
        <linearGradient id="gl-edge" x2="0" y2="1">
          <stop stopColor="#6b3a2c" stopOpacity=".5" />
          <stop offset=".6" stopColor="#d9a55c" /><stop offset="1" stopColor="#6b3a2c" />
        </linearGradient>
        <radialGradient id="gl-halo">
          <stop stopColor="#e9b96c" stopOpacity=".62" /><stop offset=".22" stopColor="#b5843f" stopOpacity=".36" />
          <stop offset=".6" stopColor="#6a4520" stopOpacity=".14" />
          <stop offset="1" stopColor="#3a2010" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="gl-glow">
          <stop stopColor="#ffe2a6" stopOpacity=".85" /><stop offset=".45" stopColor="#d9a75a" stopOpacity=".45" />
          <stop offset="1" stopColor="#b5843f" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="gl-floor">
          <stop stopColor="#8a5c30" stopOpacity=".6" /><stop offset="1" stopColor="#2a1118" stopOpacity="0" />
        </radialGradient>
        <Folds id="gl-folds" width={43} depth={0.8} />
        <Folds id="gl-fine" width={17} depth={0.5} />
        <linearGradient id="gl-dusk" x2="0" y2="1">
          <stop stopColor="#0c0407" stopOpacity=".55" /><stop offset=".4" stopColor="#0c0407" stopOpacity=".05" />
          <stop offset="1" stopColor="#0c0407" stopOpacity=".5" />
        </linearGradient>
      </defs>
      <rect width="828" height="900" fill="url(#gl-room)" />
      <rect y="742" width="828" height="158" fill="#1a0b10" />
      {[-3, -2, -1, 0, 1, 2, 3].map((board) => (
        <path key={board} d={`M${414 + board * 96} 742L${414 + board * 210} 900`} stroke="#0f0609" strokeWidth="1.2" />
      ))}
      <ellipse cx="414" cy="750" rx="300" ry="44" fill="url(#gl-floor)" />
      <circle cx="414" cy="466" r="330" fill="url(#gl-halo)" />
      <Curtain /><Curtain mirror />
      <ellipse cx="414" cy="764" rx="46" ry="8" fill="#080405" />
      <rect x="411.5" y="492" width="5" height="270" fill="#0b0607" />
      <circle cx="414" cy="466" r="62" fill="url(#gl-glow)" />
      <circle cx="414" cy="466" r="24" fill="#e2b970" opacity=".5" />
      <circle cx="414" cy="466" r="10" fill="#fff3d6" />
      <g stroke="#3a2816" strokeWidth="1.3" fill="none">
        <circle cx="414" cy="466" r="26" /><ellipse cx="414" cy="466" rx="11" ry="26" />
        <path d="M390 456h48M390 476h48M414 440v52" /><path d="M406 492h16" strokeWidth="3" />
      </g>
    </svg>
  );
}
