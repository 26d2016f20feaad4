import type { ReactNode } from 'react';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import type { FormDraft } from '../../../kit/use-draft.ts';
import { codeOfName } from '../../../parts/catalog/model/code-batch.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from './delete-button.tsx';
import { EditSheet } from './edit-sheet.tsx';
import type { CatalogEdit } from './use-catalog-edit.ts';

type CatalogSheetProps<Key extends string> = {
  readonly edit: Pick<CatalogEdit<never, Key>, 'isNew' | 'saving' | 'deletion'> & {
    readonly draft: FormDraft;
  };
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Label of the button that creates the object. */
  readonly create: string;
  /** Text of the dialog that confirms a deletion. */
  readonly deletion: {
    readonly title: string;
    readonly texts: readonly string[];
    readonly isDisabled?: boolean;
    readonly label?: string;
  };
  readonly size?: 'lg';
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Sheet that creates, edits or deletes a catalog object. */
export function CatalogSheet<Key extends string>({
  edit,
  create,
  deletion,
  children,
  ...sheet
}: CatalogSheetProps<Key>) {
  const { verbs } = useWords('catalog');
  return (
    <EditSheet
      {...sheet}
      {...edit.saving}
      draft={edit.draft}
      save={edit.isNew ? create : verbs.save}
      others={edit.deletion !== null && <DeleteButton {...deletion} {...edit.deletion} />}
    >
      {children}
    </EditSheet>
  );
}

type TextProps = { readonly value: string; readonly onChange: (value: string) => void };

export function NameField(props: TextProps & { readonly help?: string; readonly autoFocus?: boolean }) {
  const words = useWords('catalog');
  return <TextField label={words.name} name="name" maxLength={200} autoFocus {...props} />;
}

/** Field for the code of a new object. */
export function CodeField(props: TextProps) {
  const words = useWords('catalog');
  return <TextField label={words.code} name="code" help={words.codeHelp} maxLength={50} code {...props} />;
}

/** Returns the values after a name was entered. The code follows the name until the user enters a code. */
export const renamed = <Values extends { readonly name: string; readonly code: string }>(
  { name: before, code }: Values,
  name: string,
): { readonly name: string; readonly code?: string } => ({
  name,
  ...(code === codeOfName(before) && { code: codeOfName(name) }),
});

export function DescriptionField(props: TextProps) {
  const words = useWords('catalog');
  return (
    <TextArea label={words.description} name="description" isOptional maxLength={2_000} rows={2} {...props} />
  );
}
