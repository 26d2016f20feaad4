import { areaOf } from '../data/current-page.ts';
import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { PricingPageDocument } from './page.graphql';
import { PricingPage } from './page.tsx';
import type { PricingPageData } from './use-pricing.ts';

/** Pricing table page, where any visitor can purchase a plan. */
export const pricing: PageEntry = {
  area: 'pricing',
  questionOf: (token, link, _section, country) => ({
    query: PricingPageDocument,
    variables: { token, link, country },
  }),
  view: (answer) => <PricingPage begin={beginOf<PricingPageData>(answer, ['unauthorized', 'not_found'])} />,
  lookOf: (data) => (data as PricingPageData).pricingPage,
  titleOf: (data, page) => {
    if (data === undefined) return areaOf(page, 'pricing').page;
    const { branding, name } = (data as PricingPageData).pricingPage;
    return `${name} – ${branding.name}`;
  },
};
