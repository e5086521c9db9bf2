import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'style'> {
  readonly icon?: IconName;
  /** primary: the one that the screen is about; danger: takes something away; quiet: without a border. */
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** Under way: cannot be pressed twice. */
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A button; with an icon alone it needs an aria-label. */
export function Button({ icon, kind, busy = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes('button', kind && `button-${kind}`, children === undefined && 'button-bare', className)}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
