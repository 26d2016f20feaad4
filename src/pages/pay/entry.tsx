import { beginOf } from '../data/first-answer.ts';
import type { PageEntry } from '../page-entry.ts';
import { PayPageDocument } from './page.graphql';
import { PayPage, type PayPageData } from './page.tsx';

/** The page of a payment link. */
export const pay: PageEntry = {
  questionOf: (token, link) => ({ query: PayPageDocument, variables: { token, link } }),
  view: (answer) => <PayPage begin={beginOf<PayPageData>(answer, ['unauthorized', 'payment_not_found'])} />,
  lookOf: (data) => {
    const { branding, locale, description } = (data as PayPageData).paymentLink;
    return { branding, locale, title: `${description} – ${branding.name}` };
  },
};
