import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../kit/lazy-part.tsx';
import type { MenuGroup } from '../kit/menu.tsx';

const MenuPopover = lazyPart(() => import('../kit/menu-popover.tsx').then((module) => module.MenuPopover));

type LazyMenuProps = {
  readonly className: string | undefined;
  readonly label: string;
  /** True if the button's content has no text for screen readers. */
  readonly isSmall?: boolean;
  readonly isMarked?: boolean;
  readonly placement?: 'bottom start' | 'bottom end';
  readonly children: ReactNode;
  readonly groups: readonly MenuGroup[];
};

/** Button in the frame that opens a menu. The menu is loaded when it is first opened, because most visits don't open it. */
export function LazyMenu({
  className,
  label,
  isSmall = false,
  isMarked = false,
  placement = 'bottom start',
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
          placement={placement}
          trigger={button}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
