/**
 * Two measures of different size over one axis: two panels of bars, never two y axes (LOOK.md 7). Hand-drawn SVG, 3 kB
 * instead of a chart library. Amounts are minor units; the drawing scales, the table tells.
 */
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { formatAmount } from '#web/data/money.tsx';
import { ChartFrame, ChartNumber, type ChartTable } from './chart-frame.tsx';
import styles from './chart.module.css';

export interface TwinBar {
  /** On the axis: 'Sep 26'. */
  label: string;
  /** In tooltip and table: 'Week to Sep 26'. */
  title: string;
  upper_minor: number;
  lower_minor: number;
  /** The upper measure a year before; a line across the bar. */
  before_minor?: number | undefined;
  /** The week is not over: hatched. */
  partial?: boolean | undefined;
}

export interface TwinBarsProps {
  /** Without a total the sum of the bars: a balance has its own. */
  upper: { label: string; note?: string | undefined; total_minor?: number | undefined };
  lower: { label: string; note?: string | undefined };
  currency: string;
  bars: readonly TwinBar[];
  beforeLabel?: string | undefined;
  /** Label of a bar that is not over; 'Partial week' by default. */
  partialLabel?: string | undefined;
  tools?: ReactNode;
}

const LEFT = 44;
const UPPER = 146;
const LOWER = 64;
const GAP = 18;
const AXIS = 24;
/** px that a label of the axis needs; on narrow screens some are left out. */
const LABEL = 46;

/** A round step with at most three lines below `max`: 1, 2 or 4 times a power of ten, or half of it. */
export function niceStep(max: number, lines: number): number {
  if (max <= 0) return 1;
  const rough = max / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
}

/** 12_000_000 minor is '120k', 250_000_000 '2.5m'. */
export function axisLabel(minor: number): string {
  const major = minor / 100;
  if (major >= 1_000_000) return `${major / 1_000_000}m`;
  return major >= 1000 ? `${major / 1000}k` : String(major);
}

function Panel({ width, top, height, max, step, bars, series, pick, hover }: {
  width: number; top: number; height: number; max: number; step: number; bars: readonly TwinBar[]; series: 1 | 2;
  pick: (bar: TwinBar) => number; hover: number | null;
}) {
  const slot = (width - LEFT) / bars.length;
  const y = (value: number) => top + height - (value / max) * height;
  const lines = Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
  return (
    <>
      {lines.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className={styles.grid} />
          <text x={LEFT - 10} y={y(value) + 4} textAnchor="end" className={styles.tick}>{axisLabel(value)}</text>
        </g>
      ))}
      {bars.map((bar, index) => {
        const x = LEFT + index * slot + slot * 0.2;
        const before = series === 1 ? bar.before_minor : undefined;
        return (
          <g key={bar.label} data-hover={hover === index || undefined}>
            <path d={barPath(x, y(pick(bar)), slot * 0.6, top + height)} className={styles.fill} data-series={series}
              fill={bar.partial ? `url(#hatch-${series})` : undefined} data-partial={bar.partial || undefined} />
            {before !== undefined && (
              <line x1={x - slot * 0.06} x2={x + slot * 0.66} y1={y(before)} y2={y(before)} className={styles.before} />
            )}
          </g>
        );
      })}
    </>
  );
}

function barPath(x: number, y: number, width: number, bottom: number): string {
  const radius = Math.min(3, Math.max(0, bottom - y));
  const top = `q0-${radius} ${radius}-${radius}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}`;
  return `M${x} ${bottom}V${y + radius}${top}V${bottom}z`;
}

function Hatch({ series }: { series: 1 | 2 }) {
  return (
    <pattern id={`hatch-${series}`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2" height="5" className={styles.fill} data-series={series} />
    </pattern>
  );
}

/** The drawing's width in px, measured: labels keep their size on a phone. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(760);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => { if (entry) setWidth(Math.max(280, entry.contentRect.width)); });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

function total(bars: readonly TwinBar[], pick: (bar: TwinBar) => number): number {
  return bars.reduce((sum, bar) => sum + pick(bar), 0);
}

/** The same figures in rows, for the Table button and for screen readers. */
function tableOf({ upper, lower, currency, bars, beforeLabel = 'Last year' }: TwinBarsProps): ChartTable {
  const hasBefore = bars.some((bar) => bar.before_minor !== undefined);
  const amounts = (bar: TwinBar) => (hasBefore
    ? [bar.upper_minor, bar.before_minor, bar.lower_minor] : [bar.upper_minor, bar.lower_minor]);
  const head = [`${upper.label}, ${currency}`, ...(hasBefore ? [beforeLabel] : []), `${lower.label}, ${currency}`];
  return {
    head: ['Period', ...head],
    rows: bars.map((bar) => [bar.title, ...amounts(bar).map((minor) => formatAmount(minor))]),
  };
}

function Tip({ bar, side, left, upper, lower, beforeLabel }: {
  bar: TwinBar; side: boolean; left: number; upper: string; lower: string; beforeLabel: string;
}) {
  return (
    <div className={styles.tip} data-left={side || undefined} style={{ left: `${left}%` }}>
      <strong>{bar.title}</strong>
      <span>{upper}<b>{formatAmount(bar.upper_minor)}</b></span>
      <span>{lower}<b>{formatAmount(bar.lower_minor)}</b></span>
      {bar.before_minor !== undefined && <span>{beforeLabel}<b>{formatAmount(bar.before_minor)}</b></span>}
    </div>
  );
}

/** Axis labels and the invisible columns that the pointer meets. */
function Axis({ bars, width, bottom, hover, onHover }: {
  bars: readonly TwinBar[]; width: number; bottom: number; hover: number | null; onHover: (index: number) => void;
}) {
  const slot = (width - LEFT) / Math.max(1, bars.length);
  const every = Math.ceil(LABEL / slot);
  return (
    <>
      {bars.map((bar, index) => index % every === 0 && (
        <text key={bar.label} x={LEFT + (index + 0.5) * slot} y={bottom + 17} textAnchor="middle"
          className={styles.tick} data-on={hover === index || undefined}>{bar.label}</text>
      ))}
      {bars.map((bar, index) => (
        <rect key={bar.label} x={LEFT + index * slot} y={0} width={slot} height={bottom} fill="transparent"
          onPointerEnter={() => onHover(index)} />
      ))}
    </>
  );
}

function Plot({ upper, lower, bars, beforeLabel = 'Last year' }: TwinBarsProps) {
  const [hover, setHover] = useState<number | null>(null);
  const [plot, width] = useWidth();
  const maxUpper = Math.max(1, ...bars.flatMap((bar) => [bar.upper_minor, bar.before_minor ?? 0])) * 1.06;
  const maxLower = Math.max(1, ...bars.map((bar) => bar.lower_minor)) * 1.12;
  const slot = (width - LEFT) / Math.max(1, bars.length);
  const bottom = UPPER + GAP + LOWER;
  const tip = hover === null ? undefined : bars[hover];
  const panel = { width, bars, hover };
  const side = hover !== null && hover > bars.length / 2;
  return (
    <div className={styles.plot} ref={plot} onPointerLeave={() => setHover(null)}>
      <svg viewBox={`0 -6 ${width} ${bottom + AXIS + 6}`} width={width} height={bottom + AXIS + 6} aria-hidden="true"
        focusable="false">
        <defs><Hatch series={1} /><Hatch series={2} /></defs>
        {hover !== null && (
          <rect x={LEFT + hover * slot} y={-6} width={slot} height={bottom + 6} className={styles.column} />
        )}
        <Panel {...panel} top={0} height={UPPER} max={maxUpper} step={niceStep(maxUpper, 4)} series={1}
          pick={(bar) => bar.upper_minor} />
        <Panel {...panel} top={UPPER + GAP} height={LOWER} max={maxLower} step={niceStep(maxLower, 2)} series={2}
          pick={(bar) => bar.lower_minor} />
        <Axis bars={bars} width={width} bottom={bottom} hover={hover} onHover={setHover} />
      </svg>
      {tip && hover !== null && (
        <Tip bar={tip} side={side} left={((LEFT + (hover + (side ? 0 : 1)) * slot) / width) * 100}
          upper={upper.label} lower={lower.label} beforeLabel={beforeLabel} />
      )}
    </div>
  );
}

export function TwinBars(props: TwinBarsProps) {
  const { upper, lower, currency, bars, beforeLabel = 'Last year', partialLabel = 'Partial week', tools } = props;
  const upperTotal = formatAmount(upper.total_minor ?? total(bars, (bar) => bar.upper_minor), currency);
  const lowerTotal = formatAmount(total(bars, (bar) => bar.lower_minor), currency);
  return (
    <ChartFrame tools={tools} table={tableOf(props)}
      summary={`${upper.label} ${upperTotal}, ${lower.label} ${lowerTotal}, ${bars.length} bars`}
      title={(
        <>
          <ChartNumber label={upper.label} value={upperTotal} note={upper.note} series={1} />
          <ChartNumber label={lower.label} value={lowerTotal} note={lower.note} series={2} />
        </>
      )}
      legend={(
        <>
          {bars.some((bar) => bar.before_minor !== undefined) && (
            <span><i className={styles.line} />{beforeLabel}</span>
          )}
          {bars.some((bar) => bar.partial) && <span><i className={styles.hatch} />{partialLabel}</span>}
        </>
      )}>
      <Plot {...props} />
    </ChartFrame>
  );
}
