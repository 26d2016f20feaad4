import SlidersHorizontalIcon from 'lucide-react/icons/sliders-horizontal';
import { IconButton } from '../button.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { Popover } from '../popover.tsx';
import { useKit } from '../provider.tsx';
import type { DisplayChoicesProps } from './display-choices.tsx';

const DisplayChoices = lazyPart(() =>
  import('./display-choices.tsx').then((module) => module.DisplayChoices),
);

/** Button that opens the column and density settings of a list. */
export function DisplayMenu(choices: DisplayChoicesProps) {
  const { words } = useKit();
  return (
    <Popover
      label={words.display}
      placement="bottom end"
      trigger={<IconButton label={words.display} icon={<SlidersHorizontalIcon />} kind="normal" />}
    >
      <DisplayChoices {...choices} />
    </Popover>
  );
}
