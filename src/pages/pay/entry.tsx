import { beginOf } from '../data/first-answer.ts';
import type { PageEntry } from '../page-entry.ts';
import { PayPageDocument } from './page.graphql';
import { PayPage, type PayPageData } from './page.tsx';

/** The page of a payment link. */
export const pay: PageEntry = {
  area: 'link',
  questionOf: (token, link) => ({ query: PayPageDocument, variables: { token, link } }),
  view: (answer) => <PayPage begin={beginOf<PayPageData>(answer, ['unauthorized', 'payment_not_found'])} />,
  lookOf: (data) => (data as PayPageData).paymentLink,
  titleOf: (data, { words }) => {
    if (data === undefined) return words.payment.title;
    const { branding, description } = (data as PayPageData).paymentLink;
    return `${description} – ${branding.name}`;
  },
};
