import { run } from '../data/service.ts';
import type { ErrorTexts } from '../sentences.ts';
import { CheckTaxNumberDocument } from './tax-number.graphql';

/** Returns the error for a tax ID that doesn't match the country. Empty if the tax ID matches. */
export async function taxNumberProblem(country: string, value: string, words: ErrorTexts): Promise<string> {
  const { isPlausible, kind } = (await run(CheckTaxNumberDocument, { country, value })).taxDocumentCheck;
  return isPlausible === false ? words.taxNumber({ type: kind }) : '';
}
