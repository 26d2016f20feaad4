import { useId, useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
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
import { Rejection } from '../../shell/rejection.tsx';
import { useDeveloperWords } from './developer-words.ts';
import { DeveloperKeyCreateDocument } from './keys.graphql';
import { scopes } from './scopes.ts';

type Scope = (typeof scopes)[number];

const expiries = ['0', '30', '90', '365'] as const;
type Expiry = (typeof expiries)[number];

type NewKeyProps = { readonly onClose: () => void; readonly onDone: () => void };

/** Dialog that creates an API key and shows its secret once. */
export function NewKey({ onClose, onDone }: NewKeyProps) {
  const words = useDeveloperWords();
  const form = useId();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('0');
  const [chosen, setChosen] = useState<readonly Scope[]>(['read', 'write']);
  const [secret, setSecret] = useState<string | null>(null);
  const [create, { isRunning, error }] = useAction(DeveloperKeyCreateDocument);
  const isReady = name.trim() !== '' && chosen.length > 0;
  async function save(): Promise<void> {
    if (!isReady || isRunning) return;
    const days = Number(expiry);
    const result = await create({
      input: { name: name.trim(), scopes: chosen, ...(days > 0 && { expiresInDays: days }) },
    });
    if (result instanceof ApiError) return;
    setSecret(result.apiKeyCreate.apiKey);
    onDone();
  }
  if (secret !== null) return <Created secret={secret} onClose={onClose} />;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.createKeyTitle}
      actions={
        <Button kind="primary" type="submit" form={form} isDisabled={!isReady} isPending={isRunning}>
          {words.createKey}
        </Button>
      }
    >
      <Form id={form} onSubmit={() => void save()} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField
            name="name"
            label={words.name}
            help={words.nameHelp}
            value={name}
            onChange={setName}
            isRequired
            autoFocus
          />
          <Select
            label={words.expires}
            value={expiry}
            onChange={(value) => setExpiry(value as Expiry)}
            options={expiries.map((value) => ({ value, label: words.expiries[value] }))}
          />
          <Stack gap={2}>
            <Text weight="medium">{words.scopes}</Text>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                isSelected={chosen.includes(scope)}
                onChange={(isOn) =>
                  setChosen(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                }
                help={words.scopeAbout[scope]}
              >
                {words.scope[scope]}
              </Checkbox>
            ))}
            {chosen.length === 0 && <Text color="warning">{words.noScopes}</Text>}
          </Stack>
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
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
