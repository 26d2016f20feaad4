import { addressOf } from '../../address.ts';

/** Returns the URL of an object's page. `null` if the type has no page. */
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
