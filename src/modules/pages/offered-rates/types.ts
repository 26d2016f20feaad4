import { rateSentence } from '../../../documents/rate-text.ts';
import type { Language } from '../../../domain/text/language.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { OfferedRate } from '../../catalog/plan-features/load-offered-rates.ts';
import { Rate } from '../../catalog/rates/types.ts';
import { loadReaderLanguage } from '../../invoices/invoices/load-reader-language.ts';
import { localeArguments } from '../../organization/organizations/types/page.ts';

/** Rate of a feature on a page. `language` is the language of the page, if the page sets one. */
export type PageRate = OfferedRate & { readonly language?: Language };

export const PricingPageRate = builder.objectRef<PageRate>('PricingPageRate').implement({
  description: "Price of a feature's units above the included amount.",
  fields: (t) => ({
    featureCode: t.member('featureCode', 'String').describe('Code of the feature.'),
    featureName: t.member('featureName', 'String').describe('Name of the feature.'),
    rate: t
      .member('rate', Rate)
      .describe("Price of the units, in the price's currency, or in credits if `isInCredits` is `true`."),
    isInCredits: t.boolean({
      description: 'Whether usage is deducted from credits and the amounts of the rate are credits.',
      resolve: ({ currency }) => currency === null,
    }),
    text: t.string({
      description:
        'Description of the price in the language of the page, such as `$0.20 per 1,000 units from 1,001, free up to 1,000`.',
      args: localeArguments,
      resolve: async ({ rate, currency, language }, { link }, ctx) =>
        rateSentence(rate, currency, language ?? (await loadReaderLanguage(ctx, link))),
    }),
  }),
});
