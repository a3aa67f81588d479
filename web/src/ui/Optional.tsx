// Parts whose code comes when they are first drawn. Where it does not come, or the part breaks, the page stands without it.
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { ko } from '../i18n/ko'
import { imported } from '../lib/importWithRetry'
import { ErrorState } from './states'

type OptionalProps = {
  children: ReactNode
  /** What stands there while the code comes. */
  waiting?: ReactNode
  /** What stands there when it did not come; nothing where it does not say. */
  instead?: (retry: () => void) => ReactNode
  onFail?: () => void
}

/** The boundary around an optional part: its failure stays within. A connection that comes back tries again. */
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

type Around<P> = {
  waiting?: (props: P) => ReactNode
  instead?: (retry: () => void) => ReactNode
  /** Hears of the failure, with the part's own properties. */
  onFail?: (props: P) => void
}

/**
 * A part with its boundary: `const Footer = optional(() => import('./Footer'))`. Unlike with `lazy` alone, code that did not come is
 * fetched anew by the next try.
 */
export function optional<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { waiting, instead, onFail }: Around<P> = {},
): ComponentType<P> {
  const fetched = (): ComponentType<P> => lazy(() => imported(load)) as unknown as ComponentType<P>
  let Part = fetched()
  /** Whatever has been fetched last, at each try. */
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

/** Says at its place that a part did not come, with another try. */
export const missing = (retry: () => void) => <ErrorState error={{ message: ko.state.network }} onRetry={retry} />
