import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { chooseOrganization } from '../../data/place.ts';
import { OrganizationCreateDocument } from '../../data/session.graphql';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { useErrorText } from '../error-text.ts';

/** Form that creates an organization, which the signed-in user owns. */
export function OrganizationForm({ onDone }: { readonly onDone: () => void }) {
  const words = useWords('entry');
  const textOf = useErrorText();
  const [name, setName] = useState('');
  const [create, { isRunning, error }] = useAction(OrganizationCreateDocument);

  async function submit(): Promise<void> {
    const made = await create({ input: { name: name.trim() } });
    if (made instanceof ApiError) return;
    chooseOrganization(made.organizationCreate.organizationId);
    onDone();
  }

  return (
    <Form onSubmit={() => void submit()} errors={error?.details ?? []}>
      <TextField name="name" label={words.organizationName} value={name} onChange={setName} isRequired />
      {error !== null && error.details.length === 0 && <Callout tone="negative">{textOf(error)}</Callout>}
      <Button type="submit" kind="primary" wide isPending={isRunning}>
        {words.createOrganization}
      </Button>
    </Form>
  );
}
