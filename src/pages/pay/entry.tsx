import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { PayPageDocument } from './page.graphql';
import { PayPage } from './page.tsx';
import type { PayPageData } from './use-payment.ts';

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
