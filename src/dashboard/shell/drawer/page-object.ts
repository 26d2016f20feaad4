import type { Document } from '../../../ui/documents.ts';
import { type PageName, useParameter } from '../../address.ts';
import { usePageName } from '../page-name.ts';
import {
  DrawerOfCustomerDocument,
  DrawerOfInvoiceDocument,
  DrawerOfPlanDocument,
  DrawerOfSubscriptionDocument,
  DrawerOfTransactionDocument,
  DrawerOfWebhookDocument,
} from './objects.graphql';

/** What the drawer can say of the object of a page. */
const documents = {
  customer: DrawerOfCustomerDocument,
  subscription: DrawerOfSubscriptionDocument,
  invoice: DrawerOfInvoiceDocument,
  payment: DrawerOfTransactionDocument,
  plan: DrawerOfPlanDocument,
  webhook: DrawerOfWebhookDocument,
} as const;

type Kind = keyof typeof documents;

export type PageObject = { readonly kind: Kind; readonly id: string };

const isKind = (name: PageName | null): name is Kind => name !== null && Object.hasOwn(documents, name);

/** The object the page on screen is about; null for lists and other pages. */
export function usePageObject(): PageObject | null {
  const name = usePageName();
  const id = useParameter('id');
  return isKind(name) && id !== '' ? { kind: name, id } : null;
}

type Answer = { readonly node: object | null };

/** The document that asks for the values of an object. */
export const documentOf = ({ kind }: PageObject): Document<Answer, { readonly id: string }> =>
  documents[kind];

/** Whether events can be asked for by the object; others are found among all events. */
export const hasEvents = ({ kind }: PageObject): boolean =>
  kind === 'customer' || kind === 'subscription' || kind === 'invoice';

/** The filter by which transfers of an object are found; null where the ledger does not name it. */
export function transferFilter({ kind, id }: PageObject) {
  switch (kind) {
    case 'customer':
      return { customerIds: [id] };
    case 'subscription':
      return { subscriptionIds: [id] };
    case 'invoice':
      return { invoiceIds: [id] };
    case 'payment':
      return { transactionIds: [id] };
    default:
      return null;
  }
}
