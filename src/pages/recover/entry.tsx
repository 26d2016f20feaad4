import type { ResultOf } from '../../ui/documents.ts';
import { type CardOperations, CardPage } from '../card/page.tsx';
import { beginOf } from '../data/initial-data.ts';
import { loadCode } from '../data/lazy-code.ts';
import { run } from '../data/service.ts';
import { useChanges } from '../data/use-changes.ts';
import type { PageEntry } from '../page-entry.ts';
import {
  ConfirmRecoveryDocument,
  PayRecoveryDocument,
  RecoverPageDocument,
  RecoveryChangedDocument,
} from './page.graphql';

type Data = ResultOf<typeof RecoverPageDocument>;

const operations: CardOperations = {
  isPayment: true,
  useLive: ({ status, collection }, look) =>
    useChanges({
      isOpen: status === 'open',
      isWaiting: status === 'open' && collection !== null,
      document: RecoveryChangedDocument,
      isShown: ({ recoveryChanged: latest }) =>
        latest.status === status && latest.collection?.stage === collection?.stage,
      reload: look,
    }),
  load: (token) => run(RecoverPageDocument, { token }),
  submit: async (input, onWait) =>
    (await loadCode()).mutate({ action: 'pay', mutation: PayRecoveryDocument, input, onWait }),
  authenticate: async (input, onWait) =>
    (await loadCode()).mutate({
      action: 'authenticate',
      mutation: ConfirmRecoveryDocument,
      input,
      onWait,
    }),
};

/** Page where a customer pays a subscription's outstanding invoice. */
export const recover: PageEntry = {
  area: 'card',
  questionOf: (token, link) => ({ query: RecoverPageDocument, variables: { token, link } }),
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
