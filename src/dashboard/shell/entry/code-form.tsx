import { useState } from 'react';
import { proveCode } from '../../data/second-factor.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

type CodeFormProps = {
  readonly onDone: () => void;
  /** Called to restart the sign-in. */
  readonly onBack: () => void;
};

/** Second step of the sign-in: a code from the authenticator app, or a recovery code. */
export function CodeForm({ onDone, onBack }: CodeFormProps) {
  const words = useWords('entry');
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const { run, isRunning, problem, fields } = useAccountTask();
  const submit = async () => {
    if (await run(() => proveCode(code.trim(), isRecovery))) onDone();
  };
  const turn = () => {
    setRecovery(!isRecovery);
    setCode('');
  };
  return (
    <Form onSubmit={() => void submit()} errors={fields}>
      <Text as="p">{isRecovery ? words.recoveryText : words.codeText}</Text>
      <TextField
        key={String(isRecovery)}
        name="code"
        label={isRecovery ? words.recoveryCode : words.code}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        value={code}
        onChange={setCode}
        autoFocus
        isRequired
      />
      <Problem text={problem} />
      <Button type="submit" kind="primary" wide isPending={isRunning}>
        {words.signIn}
      </Button>
      <Button kind="quiet" wide onPress={turn}>
        {isRecovery ? words.useApp : words.useRecovery}
      </Button>
      <Button kind="quiet" wide onPress={onBack}>
        {words.beginAgain}
      </Button>
    </Form>
  );
}
