import type { ResultOf } from '../../../../ui/documents.ts';
import { useAction } from '../../../data/hooks.ts';
import { Switch } from '../../../kit/choice.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import {
  SettingsProviderCreateDocument,
  type SettingsProvidersDocument,
  SettingsProviderUpdateDocument,
} from '../providers.graphql';
import { FormDialog } from './form-dialog.tsx';

export type Account = ResultOf<typeof SettingsProvidersDocument>['connectedAccounts']['nodes'][number];

/** Placeholders with the prefixes of Stripe keys. */
const beginnings = { publishableKey: 'pk_…', secretKey: 'sk_…', webhookSecret: 'whsec_…' } as const;

const valuesOf = (account: Account | null) => ({
  name: account?.name ?? '',
  publishableKey: account?.publishableKey ?? '',
  secretKey: '',
  webhookSecret: '',
  isDefault: account?.isDefault ?? false,
});

type ProviderDialogProps = {
  /** Account to update. `null` to connect an account. */
  readonly account: Account | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that connects or updates a Stripe account. Stored keys aren't shown; an empty field keeps the stored key. */
export function ProviderDialog({ account, onClose, onDone }: ProviderDialogProps) {
  const words = useWords('providers');
  const [create, creating] = useAction(SettingsProviderCreateDocument);
  const [update, updating] = useAction(SettingsProviderUpdateDocument);
  const isNew = account === null;
  const draft = useDraft(valuesOf(account), {
    isReady: ({ name, publishableKey, secretKey }) =>
      name.trim() !== '' && publishableKey !== '' && (!isNew || secretKey !== ''),
    send: async ({ name, publishableKey, secretKey, webhookSecret, isDefault }) => {
      const secrets = webhookSecret === '' ? {} : { webhookSecret };
      return account === null
        ? create({ input: { name, publishableKey, secretKey, isDefault, ...secrets } })
        : update({
            input: {
              id: account.id,
              name,
              publishableKey,
              ...(secretKey === '' ? {} : { secretKey }),
              ...(isDefault && !account.isDefault ? { isDefault } : {}),
              ...secrets,
            },
          });
    },
    onDone: (_, { name }) => {
      notify(isNew ? words.connected({ name }) : words.saved({ name }));
      onDone();
    },
  });
  const { values, change, choice } = draft;
  const field = (name: Exclude<keyof typeof values, 'isDefault'>) => ({
    name,
    label: words[name],
    value: values[name],
    onChange: (value: string) => change({ [name]: value.trimStart() }),
  });
  const secret = { type: 'password', autoComplete: 'off', code: true } as const;
  return (
    <FormDialog
      title={isNew ? words.connect : words.change({ name: account.name })}
      save={isNew ? words.connectNow : words.save}
      error={creating.error ?? updating.error}
      isRunning={creating.isRunning || updating.isRunning}
      draft={draft}
      onClose={onClose}
    >
      <TextField {...field('name')} help={words.nameHelp} maxLength={200} autoFocus />
      <TextField {...field('publishableKey')} placeholder={beginnings.publishableKey} code />
      <TextField
        {...field('secretKey')}
        {...secret}
        placeholder={beginnings.secretKey}
        help={isNew ? words.secretKeyHelp : words.keepHelp}
        isOptional={!isNew}
      />
      <TextField
        {...field('webhookSecret')}
        {...secret}
        placeholder={beginnings.webhookSecret}
        help={account?.hasWebhookSecret === true ? words.keepHelp : words.webhookSecretHelp}
        isOptional
      />
      <Switch {...choice('isDefault')} isDisabled={account?.isDefault === true} help={words.defaultHelp}>
        {words.default}
      </Switch>
    </FormDialog>
  );
}
