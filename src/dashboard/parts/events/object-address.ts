import { addressOf } from '../../address.ts';

/** The address of the page of an object, by its type; null where its type has none. */
export function objectAddress(type: string, id: string): string | null {
  switch (type) {
    case 'Customer':
      return addressOf('customer', { id });
    case 'Subscription':
      return addressOf('subscription', { id });
    case 'Invoice':
      return addressOf('invoice', { id });
    case 'Transaction':
      return addressOf('payment', { id });
    default:
      return null;
  }
}
