import { countText } from '../../ui/format/numbers.ts';
import type { ErrorTexts } from '../sentences.ts';

type Bounds = { readonly included: number; readonly maximum: number | null };

/** Returns the problem with a typed number of seats. Empty if the payer can choose the number. */
export function seatProblem(
  typed: string,
  { included, maximum }: Bounds,
  language: string,
  words: ErrorTexts,
): string {
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  const isRight = /^\d+$/.test(typed) && Number(typed) >= included && Number(typed) <= most;
  const text = (value: number): string => countText(value, language);
  return isRight ? '' : words.seatCount({ least: text(included), most: text(most) });
}
