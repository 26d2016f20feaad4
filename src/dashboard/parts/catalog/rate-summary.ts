import type { Words } from '../../words/words.ts';
import type { RateDraft } from './model/rate-draft.ts';

/** Describes a rate, such as "Graduated, 3 tiers". */
export const rateSummary = (words: Words['plan']['rate'], { model, tiers }: RateDraft): string =>
  words.summary({ model: words.models[model], count: tiers.length });
