// No page at this address.
export { NotFoundState as Component } from '../RouteErrorPage'
