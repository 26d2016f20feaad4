import type { BulkCommandName } from './bulk-actions.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { cancel, canWait } from './cancel.tsx';
import type { AnyCommand, Subject } from './command.ts';
import { creditCreate } from './credit-create.tsx';
import { offerApply } from './offer-apply.tsx';
import { portalLink } from './portal-link.tsx';

const commands: Readonly<Record<BulkCommandName, AnyCommand>> = {
  // Several subscriptions end with their periods; what would end at once is canceled one by one.
  cancel: {
    ...cancel,
    bulkFields: false,
    applies: (subject: Subject) => canWait(subject) && cancel.applies(subject),
  },
  creditCreate,
  offerApply,
  portalLink,
};

type OpenBulkProps = {
  readonly name: BulkCommandName;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onRun: () => void;
};

/** The dialog of a bulk action. */
export const OpenBulk = ({ name, ...rest }: OpenBulkProps) => (
  <BulkDialog command={commands[name]} {...rest} />
);
