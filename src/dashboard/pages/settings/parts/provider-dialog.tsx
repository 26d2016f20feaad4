import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Switch } from '../../../kit/choice.tsx';
import { TextField } from '../../../kit/text-field.tsx';
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

type ProviderDialogProps = {
  /** Account to update. `null` to connect an account. */
  readonly account: Account | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that connects or updates a Stripe account. Stored keys aren't shown; an empty field keeps the stored key. */
export function ProviderDialog({ account, onClose, onDone }: ProviderDialogProps) {
  const words = useWords('providers');
  const [values, setValues] = useState({
    name: account?.name ?? '',
    publishableKey: account?.publishableKey ?? '',
    secretKey: '',
    webhookSecret: '',
  });
  const [isDefault, setDefault] = useState(account?.isDefault ?? false);
  const [create, creating] = useAction(SettingsProviderCreateDocument);
  const [update, updating] = useAction(SettingsProviderUpdateDocument);
  const isNew = account === null;
  const save = async () => {
    const { name, publishableKey, secretKey, webhookSecret } = values;
    const secrets = webhookSecret === '' ? {} : { webhookSecret };
    const answer = isNew
      ? await create({ input: { name, publishableKey, secretKey, isDefault, ...secrets } })
      : await update({
          input: {
            id: account.id,
            name,
            publishableKey,
            ...(secretKey === '' ? {} : { secretKey }),
            ...(isDefault && !account.isDefault ? { isDefault } : {}),
            ...secrets,
          },
        });
    if (answer instanceof ApiError) return;
    notify(isNew ? words.connected({ name }) : words.saved({ name }));
    onDone();
  };
  const field = (name: keyof typeof values) => ({
    name,
    label: words[name],
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value.trimStart() })),
  });
  const secret = { type: 'password', autoComplete: 'off', code: true } as const;
  const isReady =
    values.name.trim() !== '' && values.publishableKey !== '' && (!isNew || values.secretKey !== '');
  return (
    <FormDialog
      title={isNew ? words.connect : words.change({ name: account.name })}
      save={isNew ? words.connectNow : words.save}
      error={creating.error ?? updating.error}
      isRunning={creating.isRunning || updating.isRunning}
      isReady={isReady}
      onSave={() => void save()}
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
      <Switch
        isSelected={isDefault}
        onChange={setDefault}
        isDisabled={account?.isDefault === true}
        help={words.defaultHelp}
      >
        {words.default}
      </Switch>
    </FormDialog>
  );
}
