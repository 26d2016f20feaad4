import type { ResultOf } from '../../ui/documents.ts';
import { type CardOperations, CardPage } from '../card/page.tsx';
import { beginOf } from '../data/initial-data.ts';
import { loadCode } from '../data/lazy-code.ts';
import { run } from '../data/service.ts';
import type { PageEntry } from '../page-entry.ts';
import { ConfirmMethodDocument, MethodPageDocument, StoreMethodDocument } from './page.graphql';

type Data = ResultOf<typeof MethodPageDocument>;

const operations: CardOperations = {
  isPayment: false,
  load: (token) => run(MethodPageDocument, { token }),
  submit: async (input, onWait) =>
    (await loadCode()).mutate({ action: 'store', mutation: StoreMethodDocument, input, onWait }),
  authenticate: async (input, onWait) =>
    (await loadCode()).mutate({
      action: 'authenticate',
      mutation: ConfirmMethodDocument,
      input,
      onWait,
    }),
};

/** Page where a customer replaces a subscription's card. */
export const method: PageEntry = {
  area: 'card',
  questionOf: (token, link) => ({ query: MethodPageDocument, variables: { token, link } }),
  view: (answer) => (
    <CardPage
      operations={operations}
      begin={beginOf<Data>(answer, ['unauthorized', 'subscription_not_found'])}
    />
  ),
  lookOf: (data) => (data as Data).request,
  titleOf: (data, { words }) => {
    if (data === undefined) return words.payment.title;
    const { branding, name } = (data as Data).request;
    return `${name} – ${branding.name}`;
  },
};
