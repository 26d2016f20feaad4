import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { claimLinkOf } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';

/** Creates and opens a claim link for the organization that an API key belongs to. The key isn't stored. */
export function KeyForm() {
  const words = useWords('entry');
  const { errors } = useWords('shell');
  const [key, setKey] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();

  const textOf = (error: ApiError): string => {
    const known: Readonly<Record<string, string>> = {
      unauthorized: words.keyWrong,
      organization_already_claimed: words.keyNeedsNoOwner,
      claim_not_pending: words.keyNeedsNoOwner,
      no_answer: errors.noAnswer,
    };
    return known[error.code] ?? (error.message || errors.fallback);
  };

  async function submit(): Promise<void> {
    setRunning(true);
    setProblem(undefined);
    try {
      location.assign(await claimLinkOf(key.trim()));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRunning(false);
      setProblem(textOf(error));
    }
  }

  return (
    <Form onSubmit={() => void submit()}>
      <TextField
        name="key"
        type="password"
        label={words.key}
        help={words.keyHelp}
        value={key}
        onChange={setKey}
        autoComplete="off"
        error={problem}
        isRequired
        code
      />
      <Button type="submit" kind="primary" wide isPending={isRunning}>
        {words.useKey}
      </Button>
    </Form>
  );
}
