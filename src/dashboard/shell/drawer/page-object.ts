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

/** Queries that load the fields of an object, by object type. */
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

/** Returns the object of the current page. `null` for lists and other pages without an object. */
export function usePageObject(): PageObject | null {
  const name = usePageName();
  const id = useParameter('id');
  return isKind(name) && id !== '' ? { kind: name, id } : null;
}

type Answer = { readonly node: object | null };

export const documentOf = ({ kind }: PageObject): Document<Answer, { readonly id: string }> =>
  documents[kind];

/** True if the API can filter events by the object. For other objects, the panel filters the event stream. */
export const hasEvents = ({ kind }: PageObject): boolean =>
  kind === 'customer' || kind === 'subscription' || kind === 'invoice';

/** Returns the filter for an object's transfers. `null` if transfers don't reference objects of this type. */
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
