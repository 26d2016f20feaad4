import { numberFormat } from './numbers.ts';

type Unit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

const sizes: readonly (readonly [Unit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const unitText = (value: number, unit: Unit, locale: string, decimals = 0): string =>
  numberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'day' ? 'long' : 'short',
    maximumFractionDigits: decimals,
  }).format(value);

/** Formats a duration with its two largest units: 2 days 3 hr, 4 min 10 sec, 1.2 sec, 240 ms. */
export function durationText(milliseconds: number, locale: string): string {
  const whole = Math.abs(Math.round(milliseconds));
  if (whole < 1_000) return unitText(whole, 'millisecond', locale);
  if (whole < 10_000) return unitText(whole / 1_000, 'second', locale, 1);
  const first = sizes.findIndex(([, size]) => whole >= size);
  const [unit, size] = sizes[first] ?? ['second', 1_000];
  const next = sizes[first + 1];
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next[1]);
  const text = unitText(Math.floor(whole / size), unit, locale);
  return next === undefined || rest === 0 ? text : `${text} ${unitText(rest, next[0], locale)}`;
}
