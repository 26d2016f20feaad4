import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../kit/lazy-part.tsx';
import type { MenuGroup } from '../kit/menu.tsx';

const MenuPopover = lazyPart(() => import('../kit/menu-popover.tsx').then((module) => module.MenuPopover));

type LazyMenuProps = {
  readonly className: string | undefined;
  /** What the menu is about, for readers. */
  readonly label: string;
  /** Whether the content of the button says nothing to readers. */
  readonly isSmall?: boolean;
  readonly isMarked?: boolean;
  /** The inside of the button. */
  readonly children: ReactNode;
  readonly groups: readonly MenuGroup[];
};

/** A button of the frame with a menu, which is loaded when it is first opened: most visits open none. */
export function LazyMenu({
  className,
  label,
  isSmall = false,
  isMarked = false,
  children,
  groups,
}: LazyMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        data-marked={isMarked || undefined}
        aria-label={isSmall ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={MenuPopover.preload}
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        {children}
      </button>
      {wasOpened && (
        <MenuPopover
          label={label}
          groups={groups}
          placement="bottom start"
          trigger={button}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
