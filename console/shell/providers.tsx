import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';

interface Provider {
  readonly name: string;
  readonly label: string;
}

/** Identity providers that this installation signs in with. */
export function useProviders(): readonly Provider[] {
  const { data = [] } = useQuery({
    queryKey: ['sign-in-providers'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<readonly Provider[]> => {
      const response = await fetch('/api/console/providers', { signal });
      return response.ok ? await response.json() : [];
    },
  });
  return data;
}

/** The way to each provider; `back` is the place to return to. In a new tab, what is typed here stays. */
export function ProviderButtons({ back, newTab = false }: { readonly back: string; readonly newTab?: boolean }) {
  const providers = useProviders();
  if (providers.length === 0) return null;
  return (
    <div className="sign-in-providers">
      <p className="sign-in-or">ou</p>
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          icon="users"
          onClick={() => {
            const address = `/entrar/${encodeURIComponent(name)}?${new URLSearchParams({ volta: back })}`;
            if (newTab) window.open(address, '_blank', 'noopener');
            else location.assign(address);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  NOT_FOUND:
    'O provedor confirmou quem você é, mas essa identidade não está ligada a nenhum usuário. Peça ao administrador.',
  BAD_CREDENTIALS: 'A entrada pelo provedor não foi aceita. O usuário pode estar desativado ou com prazo vencido.',
  SIGN_IN_CANCELLED: 'A entrada foi cancelada no provedor.',
  SIGN_IN_EXPIRED: 'A entrada pelo provedor demorou demais ou começou em outra janela. Tente de novo.',
  IDENTITY_PROVIDER_UNAVAILABLE: 'O provedor de identidade não responde agora. Tente de novo em instantes.',
  INSECURE_CONNECTION: 'A conexão não está protegida: use o console por https ou, na própria máquina, como localhost.',
  UNKNOWN_PROVIDER: 'Este provedor não está configurado.',
};

/** Why the way through a provider ended where one signs in. */
export function providerRefusal(code: string | undefined): string | undefined {
  return code === undefined ? undefined : (REFUSALS[code] ?? 'A entrada pelo provedor não foi aceita.');
}
