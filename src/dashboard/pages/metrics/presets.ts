import type { Interval } from './spans.ts';

// Date ranges that the metrics page offers with one click.

/** Date ranges, shortest first. */
export const presets = ['days30', 'quarter', 'year'] as const;

export type Preset = (typeof presets)[number];

type PresetSearch = { readonly from: string; readonly until: string; readonly interval: Interval };

const dateOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns the URL parameters of a date range: the last 30 days, the current quarter, or the current month and the 11 months before. */
export function searchOfPreset(preset: Preset, today: Date): PresetSearch {
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const from = {
    days30: new Date(Date.UTC(year, month, day - 29)),
    quarter: new Date(Date.UTC(year, month - (month % 3), 1)),
    year: new Date(Date.UTC(year, month - 11, 1)),
  }[preset];
  const interval = ({ days30: 'day', quarter: 'week', year: 'month' } as const)[preset];
  return { from: dateOf(from), until: dateOf(today), interval };
}
