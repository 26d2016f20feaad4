import { useState } from 'react';
import { ApiError, type FieldProblem } from '../../data/api-error.ts';
import { signIn, signUp } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { CodeForm } from './code-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type AccountFormProps = {
  readonly isNew: boolean;
  readonly onDone: () => void;
};

/** Form that signs in, or creates an account and signs in. */
export function AccountForm({ isNew, onDone }: AccountFormProps) {
  const words = useWords('entry');
  const { errors } = useWords('shell');
  const [values, setValues] = useState({ name: '', email: '', password: '' });
  const [isRunning, setRunning] = useState(false);
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);

  const textOf = (error: ApiError): string => {
    if (error.code === 'unauthorized') return isNew ? words.knownAddress : words.wrongPassword;
    if (error.code === 'rate_limited') return words.tooMany;
    return error.code === 'no_answer' ? errors.noAnswer : errors.fallback;
  };

  async function submit(): Promise<void> {
    const proof = { email: values.email.trim(), password: values.password };
    setRunning(true);
    setProblem(null);
    try {
      if (isNew) await signUp({ name: values.name.trim(), ...proof });
      if (await signIn(proof)) return onDone();
      setRunning(false);
      setCodeNeeded(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error);
      setRunning(false);
    }
  }

  const field = (name: keyof typeof values) => ({
    name,
    label: words[name],
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
    isRequired: true,
  });
  if (isCodeNeeded) return <CodeForm onDone={onDone} onBack={() => setCodeNeeded(false)} />;
  const details: readonly FieldProblem[] = problem?.details ?? [];
  return (
    <Stack gap={4}>
      <Form onSubmit={() => void submit()} errors={details}>
        {isNew && <TextField {...field('name')} autoComplete="name" />}
        <TextField {...field('email')} type="email" autoComplete="username" />
        <TextField
          {...field('password')}
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          help={isNew ? words.passwordHelp : undefined}
        />
        <div role="alert">
          {problem !== null && details.length === 0 && <Callout tone="negative">{textOf(problem)}</Callout>}
        </div>
        <Button type="submit" kind="primary" wide isPending={isRunning}>
          {isNew ? words.createAccount : words.signIn}
        </Button>
      </Form>
      {!isNew && <PasskeyButton label={words.usePasskey} onDone={onDone} />}
    </Stack>
  );
}
