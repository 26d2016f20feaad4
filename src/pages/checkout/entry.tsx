import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { CheckoutPageDocument } from './page.graphql';
import { CheckoutPage } from './page.tsx';
import type { CheckoutPageData } from './use-checkout.ts';

/** View of the page. Separate from the entry, so that the browser doesn't load the parts of the entry that only the service uses. */
export const view: PageEntry['view'] = (answer) => (
  <CheckoutPage begin={beginOf<CheckoutPageData>(answer, ['unauthorized', 'subscription_not_found'])} />
);

export const checkout: PageEntry = {
  questionOf: (token, link) => ({ query: CheckoutPageDocument, variables: { token, link } }),
  view,
  lookOf: (data) => (data as CheckoutPageData).checkout,
  titleOf: (data, { words }) => {
    if (data === undefined) return words.payment.title;
    const { branding, name } = (data as CheckoutPageData).checkout;
    return `${name} – ${branding.name}`;
  },
};
