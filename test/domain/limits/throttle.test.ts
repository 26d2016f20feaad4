import { expect, it } from 'vitest';
import { limitWindow } from '../../../src/domain/limits/limit.ts';
import { throttleOf } from '../../../src/domain/limits/throttle.ts';
import { LimitStory, limitOf } from '../../support/limits.ts';

const hour = limitWindow('fixed', { minutes: 60, anchor: '2027-05-03T00:00:00.000Z' });
const limit = limitOf({ measure: 'units', amount: 10_000n, action: 'throttle', window: hour });

/** Returns the delay after usage at a time. */
const delayAt = (time: string, used: string, terms = limit): number | undefined =>
  throttleOf(new LimitStory([terms]).move(`2027-05-03T${time}Z`, used).tried)?.delayMs;

it.each([
  ['10:30:00', '4800', 0],
  ['10:30:00', '5500', 60_000],
  ['10:30:00', '8000', 60_000],
  ['10:30:00', '5000', 0],
  ['10:30:00', '5001', 360],
  ['10:30:00', '5100.001', 36_001],
  ['10:00:00', '1', 360],
  ['10:59:59', '9999', 640],
])('the delay at %s after %s units is %i ms (LIM-E24)', (time, used, delay) => {
  expect(delayAt(time, used)).toBe(delay);
});

it('a rolling window asks for a delay only above its amount', () => {
  const rolling = { ...limit, window: limitWindow('rolling', { minutes: 60 }) };
  expect(delayAt('10:30:00', '10000', rolling)).toBe(0);
  expect(delayAt('10:30:00', '10001', rolling)).toBe(360);
});

it('an amount of 0 asks for the longest delay', () => {
  expect(delayAt('10:30:00', '1', { ...limit, amount: 0n })).toBe(60_000);
});

it('the longest delay of several limits applies', () => {
  const strict = { ...limit, id: 'lim_2', amount: 9_000n };
  const { tried } = new LimitStory([limit, strict]).move('2027-05-03T10:30:00Z', '5010');
  expect(throttleOf(tried)).toEqual({ limitId: 'lim_2', delayMs: 60_000 });
  expect(throttleOf(tried.filter((one) => one.limit.id === 'lim_1'))).toEqual({
    limitId: 'lim_1',
    delayMs: 3_600,
  });
});
