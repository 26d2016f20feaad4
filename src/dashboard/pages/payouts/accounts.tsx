import { countryText } from '../../../ui/format/names.ts';
import { useAction } from '../../data/hooks.ts';
import { useHasRole } from '../../data/viewer.ts';
import { Badge, Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Form } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { AddBankAccountDocument, type BankAccountRowFragment } from './page.graphql';

type AccountsProps = {
  readonly accounts: readonly BankAccountRowFragment[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Lists the bank accounts for payouts, with a form that adds a bank account. */
export function Accounts({ accounts, onClose, onDone }: AccountsProps) {
  const { locale } = useKit();
  const words = useWords('payouts');
  const isAdmin = useHasRole('admin');
  return (
    <Sheet isOpen onClose={onClose} title={words.accounts}>
      <Stack gap={6}>
        {accounts.length === 0 && <EmptyState title={words.accountsEmpty} />}
        {accounts.map((account) => (
          <Stack key={account.id} gap={1}>
            <Row>
              <Text weight="medium">
                {account.bankName ?? account.holderName} {account.last4}
              </Text>
              {account.isDefault && <Badge tone="info">{words.accountDefault}</Badge>}
              {account.status === 'errored' && <Status tone="negative">{words.accountErrored}</Status>}
            </Row>
            <Text size="sm" color="muted">
              {account.holderName}, {countryText(account.country, locale)}, {account.currency.toUpperCase()}
            </Text>
          </Stack>
        ))}
        {isAdmin ? <AddAccount onDone={onDone} /> : <Callout>{words.forAdmins}</Callout>}
      </Stack>
    </Sheet>
  );
}

const noAccount = { accountHolderName: '', accountNumber: '', routingNumber: '', setDefault: true };

function AddAccount({ onDone }: { readonly onDone: () => void }) {
  const words = useWords('payouts');
  const [add, { isRunning, error }] = useAction(AddBankAccountDocument);
  const draft = useDraft(noAccount, {
    isReady: (values) => values.accountHolderName.trim() !== '' && values.accountNumber.trim() !== '',
    send: ({ routingNumber, ...required }) =>
      add({ input: { ...required, ...(routingNumber.trim() !== '' && { routingNumber }) } }),
    onDone: () => {
      draft.reset();
      onDone();
    },
  });
  const { values, change, choice } = draft;
  const field = (name: Exclude<keyof typeof noAccount, 'setDefault'>, label: string, help?: string) => (
    <TextField
      name={name}
      label={label}
      {...(help !== undefined && { help })}
      value={values[name]}
      onChange={(value) => change({ [name]: value })}
      isRequired={name !== 'routingNumber'}
      autoComplete="off"
    />
  );
  return (
    <Form draft={draft} errors={error?.details ?? []}>
      <Stack>
        <Text weight="medium">{words.accountAdd}</Text>
        {field('accountHolderName', words.accountHolder)}
        {field('accountNumber', words.accountNumber)}
        {field('routingNumber', words.accountRouting, words.accountRoutingHelp)}
        <Checkbox {...choice('setDefault')}>{words.accountIsDefault}</Checkbox>
        <Rejection error={error} />
        <Button kind="primary" type="submit" isDisabled={!draft.isReady} isPending={isRunning}>
          {words.accountAdd}
        </Button>
      </Stack>
    </Form>
  );
}
