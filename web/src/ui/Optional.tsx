// Components loaded on first render. If loading fails or the component throws, the rest of the page stays.
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { ko } from '../i18n/ko'
import { imported } from '../lib/importWithRetry'
import { ErrorState } from './states'

type OptionalProps = {
  children: ReactNode
  /** Shown while the code loads. */
  waiting?: ReactNode
  /** Shown when loading failed; by default nothing. */
  instead?: (retry: () => void) => ReactNode
  onFail?: () => void
}

/** Error boundary with Suspense; retries when the connection is back. */
export class Optional extends Component<OptionalProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch() {
    this.props.onFail?.()
  }

  override componentDidMount() {
    window.addEventListener('online', this.retry)
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.retry)
  }

  retry = () => this.state.failed && this.setState({ failed: false })

  override render() {
    const { children, waiting, instead } = this.props
    return this.state.failed ? instead?.(this.retry) : <Suspense fallback={waiting}>{children}</Suspense>
  }
}

type OptionalSettings<P> = {
  waiting?: (props: P) => ReactNode
  instead?: (retry: () => void) => ReactNode
  /** Called on failure with the component's props. */
  onFail?: (props: P) => void
}

/**
 * A lazy component in its own boundary: `const Footer = optional(() => import('./Footer'))`. Unlike with `lazy` alone, a failed import is
 * repeated on the next try.
 */
export function optional<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { waiting, instead, onFail }: OptionalSettings<P> = {},
): ComponentType<P> {
  const fetched = (): ComponentType<P> => lazy(() => imported(load)) as unknown as ComponentType<P>
  let Part = fetched()
  /** Renders the latest lazy component, which a failure replaces. */
  const Latest = (props: P) => createElement(Part, props)
  return (props) => (
    <Optional
      waiting={waiting?.(props)}
      instead={instead}
      onFail={() => {
        Part = fetched()
        onFail?.(props)
      }}
    >
      {createElement(Latest, props)}
    </Optional>
  )
}

/** An inline error with a retry button. */
export const missing = (retry: () => void) => <ErrorState error={{ message: ko.state.network }} onRetry={retry} />
