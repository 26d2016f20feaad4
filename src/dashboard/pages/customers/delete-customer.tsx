import { addressOf } from '../../address.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { openAddress } from '../../router-address.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { CustomerDeleteDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Props = { readonly customer: CustomerPageQuery['customer']; readonly onClose: () => void };

/** Asks before a customer is deleted: says what ends with it and what stays, and has its name typed. Leads to the list. */
export function DeleteCustomer({ customer, onClose }: Props) {
  const { deletion: words } = useCustomerWords();
  const { subscription, paymentMethods } = customer;
  const name = customer.fullName || customer.email;
  const runs = subscription !== null && subscription.status !== 'canceled';
  return (
    <AskDialog
      document={CustomerDeleteDocument}
      input={{ id: customer.id }}
      title={words.title}
      texts={[
        ...(runs ? [words.subscription(subscription.plan.name)] : []),
        ...(runs && subscription.status === 'past_due' ? [words.owed] : []),
        ...(paymentMethods.length > 0 ? [words.cards(paymentMethods.length)] : []),
        words.stays,
        words.final,
      ]}
      confirm={words.title}
      typedName={name}
      done={words.done(name)}
      onDone={() => openAddress(addressOf('customers'))}
      onClose={onClose}
    />
  );
}
