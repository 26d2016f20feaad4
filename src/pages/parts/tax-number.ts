import { typed } from '../data/field-values.ts';
import { run } from '../data/service.ts';
import type { ErrorTexts } from '../sentences.ts';
import { CheckTaxNumberDocument } from './tax-number.graphql';

/** Shows an error if the entered tax ID doesn't match the country. If there's no response, the shown error doesn't change. */
export async function checkTaxNumber(
  words: ErrorTexts,
  mark: (name: string, text: string) => void,
): Promise<void> {
  const [country, value] = [typed('country'), typed('taxDocument')];
  if (country === '' || value === '') return mark('taxDocument', '');
  const answer = await run(CheckTaxNumberDocument, { country, value }).catch(() => null);
  if (answer === null || typed('country') !== country || typed('taxDocument') !== value) return;
  const { isPlausible, kind } = answer.taxDocumentCheck;
  mark('taxDocument', isPlausible === false ? words.taxNumber({ type: kind }) : '');
}
