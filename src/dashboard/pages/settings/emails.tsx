import { Checkbox, Switch } from '../../kit/choice.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { type Draft, type OrganizationSettings, SettingsPage } from './parts/settings-page.tsx';

const read = (organization: OrganizationSettings) => ({
  customerEmails: organization.customerEmails,
  mutedEmailKinds: [...organization.mutedEmailKinds].sort(),
  replyTo: organization.replyTo ?? '',
});

type Values = ReturnType<typeof read>;
type Kind = Values['mutedEmailKinds'][number];

const kinds: readonly Kind[] = [
  'checkout',
  'invoice',
  'receipt',
  'payment_failed',
  'refund',
  'credit_note',
  'trial_ending',
  'card_expiring',
  'lot_expiring',
  'commitment_ended',
  'top_up_failed',
  'top_up_paused',
  'mandate_accepted',
  'debit_notice',
  'method_needed',
  'usage_limit',
  'subscription_canceled',
];

/** Fields for the emails that customers receive, and for the reply-to address. */
function Fields({ values, change }: Draft<Values>) {
  const { emails: words } = useWords('settings');
  const { customerEmails: isOn, mutedEmailKinds: muted } = values;
  const send = (kind: Kind, isSent: boolean) =>
    change({
      mutedEmailKinds: (isSent ? muted.filter((each) => each !== kind) : [...muted, kind]).sort(),
    });
  return (
    <>
      <Card>
        <Switch
          isSelected={isOn}
          onChange={(customerEmails) => change({ customerEmails })}
          help={words.customerEmailsHelp}
        >
          {words.customerEmails}
        </Switch>
      </Card>
      <Card title={words.kinds}>
        <Stack gap={3}>
          {!isOn && <Text color="muted">{words.allOff}</Text>}
          {kinds.map((kind) => (
            <Checkbox
              key={kind}
              isSelected={!muted.includes(kind)}
              onChange={(isSent) => send(kind, isSent)}
              isDisabled={!isOn}
              help={words.kindHelp[kind]}
            >
              {words.kind[kind]}
            </Checkbox>
          ))}
        </Stack>
      </Card>
      <Card>
        <TextField
          name="replyTo"
          type="email"
          label={words.replyTo}
          help={words.replyToHelp}
          value={values.replyTo}
          onChange={(replyTo) => change({ replyTo })}
          isOptional
        />
      </Card>
    </>
  );
}

/** Settings for emails to customers. */
export default function EmailSettingsPage() {
  const title = useWords('titles').emailSettings;
  const { emails: words } = useWords('settings');
  return (
    <SettingsPage title={title} text={words.text} read={read}>
      {(draft) => <Fields {...draft} />}
    </SettingsPage>
  );
}
