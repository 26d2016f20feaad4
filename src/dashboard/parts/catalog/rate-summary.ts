import { basisPointsText } from '../../../ui/format/numbers.ts';
import type { Words } from '../../words/words.ts';
import type { CardDraft } from './model/card-draft.ts';
import type { DerivedDraft } from './model/derived-draft.ts';
import type { RateDraft } from './model/rate-draft.ts';

/** Describes a rate, such as "Graduated, 3 tiers". */
export const rateSummary = (words: Words['plan']['rate'], { model, tiers }: RateDraft): string =>
  words.summary({ model: words.models[model], count: tiers.length });

/** Describes a derived rate, such as "Cost + 20%, 1 modifier". */
export const derivedSummary = (
  words: Words['plan']['rate'],
  { margin, modifiers }: DerivedDraft,
  locale: string,
): string => words.derivedSummary({ margin: basisPointsText(margin, locale), count: modifiers.length });

/** Describes rates by dimension, such as "3 prices by dimension". */
export const cardSummary = (words: Words['plan']['card'], { cells, other }: CardDraft): string =>
  words.summary({ count: cells.length + (other === null ? 0 : 1) });
