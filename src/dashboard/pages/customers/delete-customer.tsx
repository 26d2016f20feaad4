import { addressOf } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { openAddress } from '../../router-address.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { CustomerDeleteDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Props = { readonly customer: CustomerPageQuery['customer']; readonly onClose: () => void };

/** Asks before a customer is deleted: says what ends with it and what stays, and has its name typed. Leads to the list. */
export function DeleteCustomer({ customer, onClose }: Props) {
  const { deletion: words } = useCustomerWords();
  const [remove, { isRunning, error }] = useAction(CustomerDeleteDocument);
  const { subscription, paymentMethods } = customer;
  const name = customer.fullName || customer.email;
  const runs = subscription !== null && subscription.status !== 'canceled';
  const confirm = async () => {
    if ((await remove({ input: { id: customer.id } })) instanceof ApiError) return;
    notify(words.done(name));
    openAddress(addressOf('customers'));
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title}
      confirm={words.title}
      typedName={name}
      isPending={isRunning}
      onConfirm={() => void confirm()}
    >
      <Stack gap={2}>
        {runs && <Text as="p">{words.subscription(subscription.plan.name)}</Text>}
        {runs && subscription.status === 'past_due' && <Text as="p">{words.owed}</Text>}
        {paymentMethods.length > 0 && <Text as="p">{words.cards(paymentMethods.length)}</Text>}
        <Text as="p">{words.stays}</Text>
        <Text as="p">{words.final}</Text>
        <Rejection error={error} />
      </Stack>
    </ConfirmDialog>
  );
}
