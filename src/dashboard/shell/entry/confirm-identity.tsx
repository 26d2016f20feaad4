import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { finishProof } from '../../data/identity-confirmation.ts';
import { OwnPasskeysDocument } from '../../data/session.graphql';
import { provePassword } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

function ProofForm() {
  const words = useWords('entry');
  const [password, setPassword] = useState('');
  const { run, isRunning, problem, fields } = useAccountTask();
  const submit = async () => {
    if (await run(() => provePassword(password))) finishProof(true);
  };
  return (
    <Form onSubmit={() => void submit()} errors={fields}>
      <Text as="p">{words.proveText}</Text>
      <TextField
        name="currentPassword"
        type="password"
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        autoFocus
        isRequired
      />
      <Problem text={problem} />
      <Button type="submit" kind="primary" wide isPending={isRunning}>
        {words.goOn}
      </Button>
    </Form>
  );
}

/**
 * Dialog that asks for the password or a passkey before an action that requires a recent identity confirmation. The action continues
 * afterwards.
 */
export default function ProveAgain() {
  const words = useWords('entry');
  const { data } = useData(OwnPasskeysDocument, {});
  const hasPasskeys = data !== null && data.viewer.passkeys.length > 0;
  return (
    <Dialog isOpen onClose={() => finishProof(false)} title={words.prove} size="sm">
      <Stack gap={4}>
        <ProofForm />
        {hasPasskeys && <PasskeyButton label={words.provePasskey} onDone={() => finishProof(true)} />}
      </Stack>
    </Dialog>
  );
}
