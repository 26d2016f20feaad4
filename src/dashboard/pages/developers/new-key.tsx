import { useId, useState } from 'react';
import { type Scope, scopes } from '../../../domain/limits/permissions.ts';
import { useAction } from '../../data/hooks.ts';
import { base } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Code } from '../../kit/code.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useDeveloperWords } from './developer-words.ts';
import { DeveloperKeyCreateDocument } from './keys.graphql';
import { PermissionTable } from './permission-table.tsx';

const expiries = ['0', '30', '90', '365'] as const;
type Expiry = (typeof expiries)[number];

const places = ['everywhere', 'areas'] as const;

type Values = {
  readonly name: string;
  readonly expiry: Expiry;
  readonly place: (typeof places)[number];
  readonly scopes: readonly Scope[];
  /** Permissions by area. Used if `place` is `areas`. */
  readonly permissions: readonly string[];
};

const noKey: Values = {
  name: '',
  expiry: '0',
  place: 'everywhere',
  scopes: ['read', 'write'],
  permissions: [],
};

const hasPermission = ({ place, scopes: chosen, permissions }: Values): boolean =>
  (place === 'areas' ? permissions : chosen).length > 0;

type NewKeyProps = { readonly onClose: () => void; readonly onDone: () => void };

/** Dialog that creates an API key and shows its secret once. */
export function NewKey({ onClose, onDone }: NewKeyProps) {
  const words = useDeveloperWords();
  const form = useId();
  const [secret, setSecret] = useState<string | null>(null);
  const [create, { isRunning, error }] = useAction(DeveloperKeyCreateDocument);
  const draft = useDraft(noKey, {
    isReady: (values) => values.name.trim() !== '' && hasPermission(values),
    send: ({ name, expiry, place, scopes: chosen, permissions }) => {
      const days = Number(expiry);
      return create({
        input: {
          name: name.trim(),
          ...(place === 'areas' ? { permissions } : { scopes: chosen }),
          ...(days > 0 && { expiresInDays: days }),
        },
      });
    },
    onDone: ({ apiKeyCreate }) => {
      setSecret(apiKeyCreate.apiKey);
      onDone();
    },
  });
  const { values, change, field } = draft;
  if (secret !== null) return <Created secret={secret} onClose={onClose} />;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.createKeyTitle}
      actions={
        <Button kind="primary" type="submit" form={form} isDisabled={!draft.isReady} isPending={isRunning}>
          {words.createKey}
        </Button>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField
            name="name"
            label={words.name}
            help={words.nameHelp}
            {...field('name')}
            isRequired
            autoFocus
          />
          <Select
            label={words.expires}
            value={values.expiry}
            onChange={(value) => change({ expiry: value as Expiry })}
            options={expiries.map((value) => ({ value, label: words.expiries[value] }))}
          />
          <PermissionFields values={values} onChange={change} />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}

type PermissionFieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Partial<Values>) => void;
};

/** Selects the scopes of the key, in all areas or in selected areas. */
function PermissionFields({ values, onChange }: PermissionFieldsProps) {
  const words = useDeveloperWords();
  const { place, scopes: chosen, permissions } = values;
  return (
    <Stack gap={3}>
      <Text weight="medium">{words.scopes}</Text>
      <Select
        label={words.permissionsIn}
        value={place}
        onChange={(value) => onChange({ place: value as Values['place'] })}
        options={places.map((value) => ({
          value,
          label: value === 'areas' ? words.permissionsByArea : words.permissionsEverywhere,
        }))}
      />
      {place === 'areas' ? (
        <PermissionTable
          selected={permissions}
          onChange={(selected) => onChange({ permissions: selected })}
        />
      ) : (
        scopes.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={chosen.includes(scope)}
            onChange={(isOn) =>
              onChange({ scopes: isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope) })
            }
            help={words.scopeAbout[scope]}
          >
            {words.scope[scope]}
          </Checkbox>
        ))
      )}
      {!hasPermission(values) && <Text color="warning">{words.noScopes}</Text>}
    </Stack>
  );
}

function Created({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const words = useDeveloperWords();
  const address = `${window.location.origin}${base}/graphql`;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.keyCreated}
      actions={
        <Button kind="primary" onPress={onClose}>
          {words.done}
        </Button>
      }
    >
      <Stack gap={4}>
        <Callout tone="warning">{words.keyOnce}</Callout>
        <Stack gap={1}>
          <Text weight="medium">{words.key}</Text>
          <Copy value={secret} />
        </Stack>
        <Code
          label={words.tryIt}
          code={`curl ${address} \\
  -H 'x-api-key: ${secret}' \\
  -H 'content-type: application/json' \\
  -d '{"query":"{ customers(first: 3) { nodes { id email } } }"}'`}
        />
      </Stack>
    </Sheet>
  );
}
