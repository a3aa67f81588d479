// Sends the browser back to the shop; without scripts the buyer presses the button.
document.forms[0].submit();
