import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allTexts, countsOf, flaggedOf, rules, violatedBy } from './support/voice/check.ts';
import { kinds } from './support/voice/text.ts';

// Checks the quality of the project's English. The number of flagged texts per kind must not exceed the number in `voice-record.json`.
// `VOICE_LIST=errors` prints a kind's flagged texts, and `VOICE_RECORD=lower` lowers the recorded numbers.

const recordFile = path.join(import.meta.dirname, 'voice-record.json');

const record = JSON.parse(readFileSync(recordFile, 'utf8')) as Readonly<Record<string, number>>;

const texts = allTexts();
const flagged = flaggedOf(texts);
const totals = countsOf(texts);
const counts = countsOf(flagged);
const broken = flagged.filter(({ violated }) => violated.some(({ isBroken }) => isBroken));

const report = kinds.map((kind) => {
  const count = counts[kind];
  const recorded = record[kind] ?? 0;
  const share = ((100 * count) / Math.max(1, totals[kind])).toFixed(1);
  const advice = count < recorded ? `, so the record can be lowered from ${recorded}` : '';
  return `${kind}: ${count} of ${totals[kind]} texts are flagged (${share}%)${advice}`;
});
console.info(report.join('\n'));

const listed = process.env['VOICE_LIST'];
for (const { kind, place, text, violated } of flagged)
  if (kind === listed) console.info(`${place} [${violated.map(({ name }) => name).join(', ')}]\n  ${text}`);

if (process.env['VOICE_RECORD'] === 'lower') {
  const current = Object.entries({ ...counts, broken: broken.length });
  const lowered = current.map(([name, count]) => [name, Math.min(count, record[name] ?? count)]);
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}

describe('the English text in the project', () => {
  it.each(kinds)('includes at most the recorded number of flagged texts of the kind %s', (kind) => {
    expect(totals[kind]).toBeGreaterThan(100);
    expect(counts[kind]).toBeLessThanOrEqual(record[kind] ?? 0);
  });

  it('includes at most the recorded number of broken texts', () => {
    const list = broken.map(({ place, text }) => `${place}: ${text}`).join('\n');
    expect(broken.length, list).toBeLessThanOrEqual(record['broken'] ?? 0);
  });
});

describe('a voice rule', () => {
  const examples = rules.map((rule) => ({ ...rule, kind: rule.kinds?.[0] ?? ('docs' as const) }));

  it.each(examples)('flags its bad examples: $name', ({ name, kind, bad }) => {
    expect(bad.length).toBeGreaterThan(0);
    const missed = bad.filter((text) => !violatedBy({ kind, text }).some((rule) => rule.name === name));
    expect(missed).toEqual([]);
  });

  it.each(examples)('allows its good examples: $name', ({ name, kind, good }) => {
    expect(good.length).toBeGreaterThan(0);
    const rejected = good.filter((text) => violatedBy({ kind, text }).some((rule) => rule.name === name));
    expect(rejected).toEqual([]);
  });
});
