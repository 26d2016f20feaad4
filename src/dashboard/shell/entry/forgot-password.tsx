import { useState } from 'react';
import { requestPasswordReset } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

/** Form that requests a password reset link. The result is the same for addresses without an account. */
export function ForgotPassword() {
  const words = useWords('entry');
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { run, isRunning, problem, fields } = useAccountTask();
  const submit = async () => {
    if (await run(() => requestPasswordReset(email.trim()))) setSentTo(email.trim());
  };
  if (sentTo !== null)
    return (
      <div role="status">
        <Callout tone="positive">{words.resetSent({ email: sentTo })}</Callout>
      </div>
    );
  return (
    <Form onSubmit={() => void submit()} errors={fields}>
      <Text as="p">{words.forgotText}</Text>
      <TextField
        name="email"
        type="email"
        label={words.email}
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
      />
      <Problem text={problem} />
      <Button type="submit" kind="primary" wide isPending={isRunning}>
        {words.sendLink}
      </Button>
    </Form>
  );
}
