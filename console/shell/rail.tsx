import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { addressOf, usePlace } from '../data/place.ts';
import { signOut, useSession } from '../data/session.ts';
import { Icon } from '../ui/icon.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { useVisibleScreens } from './visible-screens.ts';

/** The screens, and who is signed in. */
export function Rail() {
  const place = usePlace();
  const session = useSession();
  const screens = useVisibleScreens();
  const [showsSessions, setShowsSessions] = useState(false);
  return (
    <nav className="rail" aria-label="Telas">
      <Link to="/" className="rail-brand">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <rect width="24" height="24" rx="6" />
          <path d="M8.5 18V6h4.5a3.3 3.3 0 0 1 0 6.6H8.5M8.5 18H16" />
        </svg>
        Partidas
      </Link>
      <ul>
        {screens.map(({ path, title, icon, group }, at) => (
          <Fragment key={path}>
            {at > 0 && screens[at - 1]!.group !== group && <li className="rail-line" aria-hidden="true" />}
            <li>
              <Link
                to={addressOf({ ...place, screen: path })}
                className="rail-link"
                aria-current={path === place.screen ? 'page' : undefined}
                preload={false}
              >
                <Icon name={icon} />
                <span>{title}</span>
              </Link>
            </li>
          </Fragment>
        ))}
      </ul>
      {'who' in session && (
        <div className="rail-user">
          <button type="button" className="rail-self" title="Minhas sessões" onClick={() => setShowsSessions(true)}>
            <span className="rail-initial" aria-hidden="true">
              {session.who.user.name.slice(0, 1).toUpperCase()}
            </span>
            <span className="rail-name">
              {session.who.user.name}
              <small>{session.who.user.admin ? 'administração' : session.who.user.username}</small>
            </span>
          </button>
          <button type="button" className="rail-exit" aria-label="Sair" title="Sair" onClick={() => void signOut()}>
            <Icon name="exit" />
          </button>
          {showsSessions && <OwnSessions onClose={() => setShowsSessions(false)} />}
        </div>
      )}
    </nav>
  );
}
