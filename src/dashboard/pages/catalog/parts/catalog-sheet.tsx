import type { ReactNode } from 'react';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from './delete-button.tsx';
import { EditSheet } from './edit-sheet.tsx';
import type { CatalogEdit } from './use-catalog-edit.ts';

type CatalogSheetProps = {
  readonly edit: Pick<CatalogEdit<never, never>, 'isNew' | 'saving' | 'deletion'>;
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** What the button of a new one says. */
  readonly create: string;
  /** The question before it is deleted, and what happens to whom. */
  readonly deletion: {
    readonly title: string;
    readonly texts: readonly string[];
    readonly isDisabled?: boolean;
  };
  readonly size?: 'lg';
  readonly isReady: boolean;
  readonly isChanged?: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** The sheet of a thing of the catalog: makes a new one, or changes or deletes one. */
export function CatalogSheet({ edit, create, deletion, children, ...sheet }: CatalogSheetProps) {
  const { verbs } = useWords<typeof catalog>('catalog');
  return (
    <EditSheet
      {...sheet}
      {...edit.saving}
      save={edit.isNew ? create : verbs.save}
      others={edit.deletion !== null && <DeleteButton {...deletion} {...edit.deletion} />}
    >
      {children}
    </EditSheet>
  );
}

type TextProps = { readonly value: string; readonly onChange: (value: string) => void };

/** The name of a thing of the catalog. */
export function NameField(props: TextProps & { readonly help?: string; readonly autoFocus?: boolean }) {
  const words = useWords<typeof catalog>('catalog');
  return <TextField label={words.name} name="name" maxLength={200} autoFocus {...props} />;
}

/** What is said about a thing of the catalog. */
export function DescriptionField(props: TextProps) {
  const words = useWords<typeof catalog>('catalog');
  return (
    <TextArea label={words.description} name="description" isOptional maxLength={2_000} rows={2} {...props} />
  );
}
