import { addressOf } from '../../address.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { openAddress } from '../../router-address.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { CustomerDeleteDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Props = { readonly customer: CustomerPageQuery['customer']; readonly onClose: () => void };

/**
 * Confirmation before a customer is deleted. Lists the consequences and requires the user to type the customer's name.
 * After the deletion, opens the customer list.
 */
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
        ...(runs ? [words.subscription({ plan: subscription.plan.name })] : []),
        ...(runs && subscription.status === 'past_due' ? [words.owed] : []),
        ...(paymentMethods.length > 0 ? [words.cards({ count: paymentMethods.length })] : []),
        words.stays,
        words.final,
      ]}
      confirm={words.action}
      typedName={name}
      done={words.done({ name })}
      onDone={() => openAddress(addressOf('customers'))}
      onClose={onClose}
    />
  );
}
