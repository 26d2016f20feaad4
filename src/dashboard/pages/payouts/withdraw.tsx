import { moneyText } from '../../../ui/format/money.ts';
import { useAction } from '../../data/hooks.ts';
import { useIsAllowed } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import type { PayoutBalance } from './balance.tsx';
import { CreatePayoutDocument, SimulatePayoutDocument } from './page.graphql';

type WithdrawProps = {
  readonly balance: PayoutBalance;
  readonly isSandbox: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that pays out part of the available balance. In the sandbox, the payout is simulated. */
export function Withdraw({ balance, isSandbox, onClose, onDone }: WithdrawProps) {
  const { locale } = useKit();
  const words = useWords('payouts');
  const { available, currency } = balance;
  const canPayOut = useIsAllowed('payoutCreate', 'admin');
  const canSimulate = useIsAllowed('payoutSimulate');
  const isAllowed = isSandbox ? canSimulate : canPayOut;
  const [create, created] = useAction(CreatePayoutDocument);
  const [simulate, simulated] = useAction(SimulatePayoutDocument);
  const { isRunning, error } = isSandbox ? simulated : created;
  const money = (minor: number) => moneyText(minor, currency, locale);
  const draft = useDraft(
    { amount: available as number | null, description: '' },
    {
      isReady: ({ amount }) => isAllowed && amount !== null && amount >= 1 && amount <= available,
      send: async ({ amount, description }) => {
        const text = description.trim();
        const input = { amount: amount ?? 0, ...(text !== '' && { description: text }) };
        return isSandbox ? simulate({ input }) : create({ input });
      },
      onDone: () => {
        onDone();
        onClose();
      },
    },
  );
  const { amount, description } = draft.values;
  const isValid = draft.isReady && amount !== null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isSandbox ? words.simulate : words.withdrawTitle}
      actions={
        <Button kind="primary" type="submit" form="withdraw" isDisabled={!isValid} isPending={isRunning}>
          {isValid ? words.withdrawAction({ amount: money(amount) }) : words.withdrawPlain}
        </Button>
      }
    >
      <Form id="withdraw" draft={draft} errors={error?.details ?? []}>
        <Stack>
          {isSandbox && <Text as="p">{words.simulateText}</Text>}
          <MoneyField
            name="amount"
            label={words.withdrawAmount}
            help={words.withdrawHelp({ amount: money(available) })}
            currency={currency}
            value={amount}
            onChange={(minor) => draft.change({ amount: minor })}
            isInvalid={!isValid}
            autoFocus
          />
          <TextField
            name="description"
            label={words.withdrawNote}
            help={words.withdrawNoteHelp}
            value={description}
            onChange={(text) => draft.change({ description: text })}
          />
          {!isAllowed && <Callout>{words.forAdmins}</Callout>}
          {isValid ? (
            <Callout>
              {words.withdrawText({ amount: money(amount), rest: money(available - amount) })}
            </Callout>
          ) : (
            isAllowed && <Text color="negative">{words.tooMuch({ amount: money(available) })}</Text>
          )}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}
